// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PermitToken} from "../devnet/PermitToken.sol";

/// @notice A token with a permit from before EIP-5267: its domain follows from its name and its version, which may be
/// absent or wrong. Each nonce is the gas that the call of `nonces` had.
contract OldPermitToken is PermitToken {
    string private _version;

    error NotKnown();

    constructor(string memory version_) PermitToken("Old Dollar", "OLD", 6) {
        _version = version_;
    }

    function version() external view returns (string memory) {
        if (bytes(_version).length == 0) revert NotKnown();
        return _version;
    }

    function eip712Domain()
        public
        pure
        override
        returns (bytes1, string memory, string memory, uint256, address, bytes32, uint256[] memory)
    {
        revert NotKnown();
    }

    function nonces(address) public view override returns (uint256) {
        return gasleft();
    }
}
