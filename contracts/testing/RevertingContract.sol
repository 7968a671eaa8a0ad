// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice Reverts every call with as many zero bytes as it was deployed for.
contract RevertingContract {
    uint256 private immutable _size;

    constructor(uint256 size) {
        _size = size;
    }

    fallback() external payable {
        uint256 size = _size;
        assembly {
            revert(0x80, size) // Solidity keeps words of its own below.
        }
    }
}
