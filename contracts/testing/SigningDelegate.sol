// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @notice A delegate (EIP-7702) whose account signs with the key of another account (ERC-1271).
contract SigningDelegate is IERC1271 {
    address private immutable _signer;

    constructor(address signer) {
        _signer = signer;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (address signer, ECDSA.RecoverError failure,) = ECDSA.tryRecoverCalldata(hash, signature);
        bool valid = failure == ECDSA.RecoverError.NoError && signer == _signer;
        return valid ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
